const lines = require("fs").readFileSync(0, "utf8").trimEnd().split("\n");
for (const line of lines) {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(line.replaceAll(" ", ""), "hex"));
    console.log(1);
  } catch {
    console.log(0);
  }
}
