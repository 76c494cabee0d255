const { isUtf8 } = require("buffer");
const lines = require("fs").readFileSync(0, "utf8").trimEnd().split("\n");
for (const line of lines) console.log(Number(isUtf8(Buffer.from(line.replaceAll(" ", ""), "hex"))));
