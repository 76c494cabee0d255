// With this entry every class and function of the package knows legacy encodings.

export * from "./index.js";
