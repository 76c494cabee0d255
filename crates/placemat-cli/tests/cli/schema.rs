//! The schemas of what the commands write as JSON.

use boon::{Compiler, Schemas};
use serde_json::Value;

/// The schema of one command's output.
pub(crate) struct Schema {
    all: Schemas,
    index: boon::SchemaIndex,
}

impl Schema {
    /// `crates/placemat-text/schema/NAME.json`
    pub(crate) fn named(name: &str) -> Schema {
        let path = format!("{}/../placemat-text/schema/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let (mut compiler, mut all) = (Compiler::new(), Schemas::new());
        let url = format!("file:///{name}.json");
        compiler.add_resource(&url, schema).unwrap();
        let index = compiler.compile(&url, &mut all).unwrap();
        Schema { all, index }
    }

    /// All of some output, a value on each line, of which the last alone names the schema.
    #[track_caller]
    pub(crate) fn check(&self, out: &str) {
        let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let (last, others) = lines.split_last().expect("a last line");
        assert_eq!(last["schema"], 1, "{last}");
        assert!(out.ends_with(",\"schema\":1}\n"), "{out}");
        assert!(others.iter().all(|line| line.get("schema").is_none()));
        for line in &lines {
            self.check_one(line).unwrap_or_else(|error| panic!("{error}\n{line}"));
            self.check_strict(line);
        }
    }

    fn check_one(&self, value: &Value) -> Result<(), String> {
        self.all.validate(value, self.index).map_err(|error| error.to_string())
    }

    /// Every field must be known to the schema, and be there, but for those that may be left out.
    #[track_caller]
    fn check_strict(&self, value: &Value) {
        let Some(fields) = value.as_object() else { panic!("{value} is no object") };
        for name in fields.keys() {
            let mut less = fields.clone();
            let field = less.remove(name).unwrap();
            let may_lack = matches!(&**name, "schema" | "jsonl");
            assert!(may_lack || self.check_one(&less.clone().into()).is_err(), "{value} without {name}");
            less.insert(format!("{name}_"), field);
            assert!(self.check_one(&less.into()).is_err(), "{name}_ in {value}");
        }
    }
}
