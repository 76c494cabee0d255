fn main() {
    let dir = std::env::args().nth(1).unwrap();
    let only: Vec<String> = std::env::args().skip(2).collect();
    let m = std::fs::read_to_string(format!("{dir}/manifest.tsv")).unwrap();
    let mut seen = std::collections::BTreeMap::<String, (u32, u32)>::new();
    let canon = |e: &str| match e { "iso-8859-1" => "windows-1252".to_string(), "iso-8859-9" => "windows-1254".into(), _ => e.to_string() };
    for line in m.lines().skip(1) {
        let f: Vec<&str> = line.split('\t').collect();
        let (file, expected, lang) = (f[0], f[1], f[3]);
        if expected.starts_with("utf") || expected == "ascii" || expected.starts_with("iso-2022") { continue; }
        if !only.is_empty() && !only.iter().any(|o| file.starts_with(o.as_str())) { continue; }
        let bytes = std::fs::read(format!("{dir}/files/{file}")).unwrap();
        let g = placemat_detect::trial(&bytes);
        let name = |s: &str| s.split('/').next().unwrap().to_string();
        let text = |e: &str| { let cp = e.strip_prefix("ibm").or(e.strip_prefix("cp")).and_then(|n| n.parse::<u16>().ok());
        if let Some(t) = cp.and_then(|c| oem_cp::code_table::DECODING_TABLE_CP_MAP.get(&c)) { return Some(t.decode_string_lossy(&bytes)); } encoding_rs::Encoding::for_label(e.as_bytes()).map(|e| e.decode_without_bom_handling(&bytes).0.into_owned()) };
        let got = name(&g[0].0);
        let ok = got == canon(expected) || (text(&got).is_some() && text(&got) == text(expected));
        let s = seen.entry(expected.to_string()).or_default();
        s.1 += 1; if ok { s.0 += 1 } 
        if !ok || !only.is_empty() {
            let right = g.iter().position(|x| name(&x.0) == canon(expected));
            println!("{file} {expected} {lang} {} | {} | right at {:?} {:?}", bytes.len(), g[..if only.is_empty() {3} else {8}].iter().map(|x| format!("{} {:.2} {:.0}", x.0, x.1, x.2)).collect::<Vec<_>>().join(", "), right, right.map(|r| (&g[r].0, g[r].1, g[r].2)));
        }
    }
    let (a, b) = seen.values().fold((0, 0), |t, s| (t.0 + s.0, t.1 + s.1));
    println!("{:?}", seen.iter().filter(|s| s.1.0 != s.1.1).collect::<Vec<_>>());
    println!("{a}/{b} {:.1}", 100. * a as f64 / b as f64);
}
