//! The C API of DuckDB: registers the functions, turns its vectors into slices, and writes the results.
//!
//! Sources: DuckDB's `duckdb.h` and its pages on the C API, "Vectors", "Scalar Functions" and "Table Functions".

use std::ffi::{CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;
use std::sync::atomic::{AtomicUsize, Ordering};

use libduckdb_sys as duckdb;

use crate::functions::{Rows, SCALARS, Scalar, TABLES, Table, Type, Value};

/// The oldest version of the C API that has all functions used here.
const API: &str = "v1.2.0";

/// The number of rows that a table function has returned so far.
type Given = AtomicUsize;

/// Initialises the extension. DuckDB calls this function when it loads the extension.
///
/// # Safety
/// `info` and `access` are those that DuckDB passes.
#[unsafe(no_mangle)]
unsafe extern "C" fn placemat_init_c_api(
    info: duckdb::duckdb_extension_info,
    access: *const duckdb::duckdb_extension_access,
) -> bool {
    // SAFETY: DuckDB passes its own table of functions, as its header says.
    unsafe {
        if !matches!(duckdb::duckdb_rs_extension_api_init(info, access, API), Ok(true)) {
            return false;
        }
        let Some(database) = (*access).get_database.map(|get| get(info)) else { return false };
        let mut connection = std::ptr::null_mut();
        if duckdb::duckdb_connect(*database, &raw mut connection) != duckdb::DuckDBSuccess {
            return false;
        }
        let done = register(connection);
        duckdb::duckdb_disconnect(&raw mut connection);
        if !done && let Some(set_error) = (*access).set_error {
            set_error(info, c"placemat: a function with one of these names exists already; is the extension loaded twice?".as_ptr());
        }
        done
    }
}

/// # Safety
/// The connection is open.
unsafe fn register(connection: duckdb::duckdb_connection) -> bool {
    let mut done = true;
    for overloads in SCALARS.chunk_by(|a, b| a.name == b.name) {
        // SAFETY: the connection is open, and what is made here is destroyed here.
        unsafe {
            let mut set = duckdb::duckdb_create_scalar_function_set(name(overloads[0].name).as_ptr());
            for scalar in overloads {
                let mut function = duckdb::duckdb_create_scalar_function();
                duckdb::duckdb_scalar_function_set_name(function, name(scalar.name).as_ptr());
                for &kind in scalar.takes {
                    with_type(kind, |kind| duckdb::duckdb_scalar_function_add_parameter(function, kind));
                }
                with_type(scalar.gives, |kind| {
                    duckdb::duckdb_scalar_function_set_return_type(function, kind)
                });
                let scalar: *const Scalar = scalar;
                duckdb::duckdb_scalar_function_set_extra_info(function, scalar.cast_mut().cast(), None);
                duckdb::duckdb_scalar_function_set_function(function, Some(run_scalar));
                duckdb::duckdb_add_scalar_function_to_set(set, function);
                duckdb::duckdb_destroy_scalar_function(&raw mut function);
            }
            done &= duckdb::duckdb_register_scalar_function_set(connection, set) == duckdb::DuckDBSuccess;
            duckdb::duckdb_destroy_scalar_function_set(&raw mut set);
        }
    }
    for table in TABLES {
        // SAFETY: as above.
        unsafe {
            let mut function = duckdb::duckdb_create_table_function();
            duckdb::duckdb_table_function_set_name(function, name(table.name).as_ptr());
            for &kind in table.takes {
                with_type(kind, |kind| duckdb::duckdb_table_function_add_parameter(function, kind));
            }
            let table: *const Table = table;
            duckdb::duckdb_table_function_set_extra_info(function, table.cast_mut().cast(), None);
            duckdb::duckdb_table_function_set_bind(function, Some(bind));
            duckdb::duckdb_table_function_set_init(function, Some(init));
            duckdb::duckdb_table_function_set_function(function, Some(run_table));
            done &= duckdb::duckdb_register_table_function(connection, function) == duckdb::DuckDBSuccess;
            duckdb::duckdb_destroy_table_function(&raw mut function);
        }
    }
    done
}

/// A C string of the text, up to the first NUL.
fn name(text: &str) -> CString {
    let text = text.split('\0').next().unwrap_or_default();
    CString::new(text).unwrap_or_default()
}

/// # Safety
/// DuckDB's table of functions is initialised.
unsafe fn with_type(kind: Type, set: impl FnOnce(duckdb::duckdb_logical_type)) {
    let kind = match kind {
        Type::Blob => duckdb::DUCKDB_TYPE_DUCKDB_TYPE_BLOB,
        Type::Text => duckdb::DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR,
        Type::Bool => duckdb::DUCKDB_TYPE_DUCKDB_TYPE_BOOLEAN,
        Type::Number => duckdb::DUCKDB_TYPE_DUCKDB_TYPE_BIGINT,
    };
    // SAFETY: the type is made and destroyed here.
    unsafe {
        let mut kind = duckdb::duckdb_create_logical_type(kind);
        set(kind);
        duckdb::duckdb_destroy_logical_type(&raw mut kind);
    }
}

/// Calls `work` and turns a panic into an error of the query.
fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err("placemat: a panic; please report it".to_owned()))
}

unsafe extern "C" fn run_scalar(
    info: duckdb::duckdb_function_info,
    input: duckdb::duckdb_data_chunk,
    output: duckdb::duckdb_vector,
) {
    // SAFETY: the extra info is the static that `register` set, and DuckDB's chunk has the vectors that the function takes.
    let done = unsafe {
        let scalar = &*duckdb::duckdb_scalar_function_get_extra_info(info).cast::<Scalar>();
        guarded(|| scalar_rows(scalar, input, output))
    };
    if let Err(error) = done {
        // SAFETY: DuckDB copies the text.
        unsafe { duckdb::duckdb_scalar_function_set_error(info, name(&error).as_ptr()) };
    }
}

/// # Safety
/// The chunk has a vector of each type that the function takes, and the output is a vector of the type that it returns.
unsafe fn scalar_rows(
    scalar: &Scalar,
    input: duckdb::duckdb_data_chunk,
    output: duckdb::duckdb_vector,
) -> Result<(), String> {
    // SAFETY: the chunk has a vector for each argument, and as many rows as DuckDB says.
    unsafe {
        let count = duckdb::duckdb_data_chunk_get_size(input);
        let vectors: Vec<_> = (0..scalar.takes.len() as u64)
            .map(|at| duckdb::duckdb_data_chunk_get_vector(input, at))
            .collect();
        let mut values = Vec::with_capacity(vectors.len());
        for row in 0..count {
            values.clear();
            values.extend(vectors.iter().map_while(|&vector| bytes_of(vector, row)));
            match values.len() == vectors.len() {
                true => put(output, row, &(scalar.run)(&values)?),
                false => put_null(output, row),
            }
        }
    }
    Ok(())
}

/// The bytes of a row; `None` if it is NULL. They live as long as the chunk.
///
/// # Safety
/// The vector has the type BLOB or VARCHAR, and it has the row.
unsafe fn bytes_of<'a>(vector: duckdb::duckdb_vector, row: u64) -> Option<&'a [u8]> {
    // SAFETY: such a vector holds one `duckdb_string_t` per row, whose data are as long as it says.
    unsafe {
        let validity = duckdb::duckdb_vector_get_validity(vector);
        if !validity.is_null() && !duckdb::duckdb_validity_row_is_valid(validity, row) {
            return None;
        }
        let string =
            duckdb::duckdb_vector_get_data(vector).cast::<duckdb::duckdb_string_t>().add(row as usize);
        let length = (*string).value.inlined.length as usize;
        let data = duckdb::duckdb_string_t_data(string);
        Some(slice::from_raw_parts(data.cast(), length))
    }
}

/// # Safety
/// The vector has the row, and has the type of the value.
unsafe fn put(vector: duckdb::duckdb_vector, row: u64, value: &Value<'_>) {
    // SAFETY: a row of BOOLEAN has one byte, of BIGINT eight; DuckDB copies the bytes of the others.
    unsafe {
        let data = duckdb::duckdb_vector_get_data(vector);
        match value {
            Value::Bool(value) => *data.cast::<bool>().add(row as usize) = *value,
            Value::Number(value) => *data.cast::<i64>().add(row as usize) = *value,
            Value::Bytes(bytes) => {
                let (start, length) = (bytes.as_ptr().cast::<c_char>(), bytes.len() as u64);
                duckdb::duckdb_vector_assign_string_element_len(vector, row, start, length);
            }
        }
    }
}

/// # Safety
/// The vector has the row.
unsafe fn put_null(vector: duckdb::duckdb_vector, row: u64) {
    // SAFETY: once it is writable, the vector has a validity mask.
    unsafe {
        duckdb::duckdb_vector_ensure_validity_writable(vector);
        duckdb::duckdb_validity_set_row_invalid(duckdb::duckdb_vector_get_validity(vector), row);
    }
}

unsafe extern "C" fn bind(info: duckdb::duckdb_bind_info) {
    // SAFETY: the extra info is the static that `register` set; the parameters have the number and the types that it lists.
    unsafe {
        let table = &*duckdb::duckdb_bind_get_extra_info(info).cast::<Table>();
        for &(column, kind) in table.columns {
            with_type(kind, |kind| duckdb::duckdb_bind_add_result_column(info, name(column).as_ptr(), kind));
        }
        let values = table.takes.iter().enumerate().map(|(at, &kind)| parameter(info, at as u64, kind));
        let values: Option<Vec<_>> = values.collect();
        let made = guarded(|| values.map_or(Ok(Vec::new()), |values| (table.run)(&values)));
        match made {
            Ok(rows) => {
                let rows: Box<Rows> = Box::new(rows);
                duckdb::duckdb_bind_set_bind_data(info, Box::into_raw(rows).cast(), Some(drop_rows));
            }
            Err(error) => duckdb::duckdb_bind_set_error(info, name(&error).as_ptr()),
        }
    }
}

/// The bytes of a parameter; `None` if it is NULL.
///
/// # Safety
/// There is a parameter `at`, and it has the type `kind`.
unsafe fn parameter(info: duckdb::duckdb_bind_info, at: u64, kind: Type) -> Option<Vec<u8>> {
    // SAFETY: the value and its data are copied and freed here.
    unsafe {
        let mut value = duckdb::duckdb_bind_get_parameter(info, at);
        let bytes = if duckdb::duckdb_is_null_value(value) {
            None
        } else if kind == Type::Blob {
            let blob = duckdb::duckdb_get_blob(value);
            let is_there = !blob.data.is_null() && blob.size > 0;
            let bytes = if is_there {
                slice::from_raw_parts(blob.data.cast(), blob.size as usize).to_vec()
            } else {
                Vec::new()
            };
            duckdb::duckdb_free(blob.data);
            Some(bytes)
        } else {
            let text = duckdb::duckdb_get_varchar(value);
            let bytes = (!text.is_null()).then(|| std::ffi::CStr::from_ptr(text).to_bytes().to_vec());
            duckdb::duckdb_free(text.cast());
            bytes
        };
        duckdb::duckdb_destroy_value(&raw mut value);
        bytes
    }
}

unsafe extern "C" fn drop_rows(rows: *mut c_void) {
    // SAFETY: `bind` made the pointer from a box, and DuckDB calls this once.
    drop(unsafe { Box::from_raw(rows.cast::<Rows>()) });
}

unsafe extern "C" fn drop_given(given: *mut c_void) {
    // SAFETY: `init` made the pointer from a box, and DuckDB calls this once.
    drop(unsafe { Box::from_raw(given.cast::<Given>()) });
}

/// Starts at the first row. `bind` has made the rows, and each execution of a prepared statement returns them again.
unsafe extern "C" fn init(info: duckdb::duckdb_init_info) {
    let given: Box<Given> = Box::default();
    // SAFETY: DuckDB keeps the pointer until it calls `drop_given`.
    unsafe { duckdb::duckdb_init_set_init_data(info, Box::into_raw(given).cast(), Some(drop_given)) };
}

unsafe extern "C" fn run_table(info: duckdb::duckdb_function_info, output: duckdb::duckdb_data_chunk) {
    // SAFETY: the pointers are those that `bind` and `init` set; the chunk has a vector for each column, with space for as many rows as
    // DuckDB says.
    unsafe {
        let rows = &*duckdb::duckdb_function_get_bind_data(info).cast::<Rows>();
        let given = &*duckdb::duckdb_function_get_init_data(info).cast::<Given>();
        let room = duckdb::duckdb_vector_size() as usize;
        let mut count = 0;
        for row in rows.iter().skip(given.fetch_add(room, Ordering::Relaxed)).take(room) {
            for (column, value) in row.iter().enumerate() {
                put(duckdb::duckdb_data_chunk_get_vector(output, column as u64), count, value);
            }
            count += 1;
        }
        duckdb::duckdb_data_chunk_set_size(output, count);
    }
}
