//! The command `placemat`; everything is in the library beside it.

fn main() -> std::process::ExitCode {
    placemat_cli::main(&std::env::args_os().collect::<Vec<_>>()).into()
}
