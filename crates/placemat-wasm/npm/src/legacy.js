// Importing this entry adds legacy encodings to every class and function of the package.

export * from "./index.js";
