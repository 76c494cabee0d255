# placemat::placemat is the shared library, or the static one if only that is installed; placemat::static is the static one.
#
# This file is in PREFIX/share/cmake/placemat.
get_filename_component(_placemat_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(_placemat_folders lib lib64 lib32)
if(CMAKE_LIBRARY_ARCHITECTURE)
    list(PREPEND _placemat_folders "lib/${CMAKE_LIBRARY_ARCHITECTURE}")
endif()

find_path(_placemat_include placemat.h PATHS "${_placemat_prefix}/include" NO_DEFAULT_PATH NO_CACHE)
find_library(_placemat_shared NAMES libplacemat.so libplacemat.dylib placemat.dll.lib
    PATHS "${_placemat_prefix}" PATH_SUFFIXES ${_placemat_folders} NO_DEFAULT_PATH NO_CACHE)
find_library(_placemat_static NAMES libplacemat.a placemat.lib
    PATHS "${_placemat_prefix}" PATH_SUFFIXES ${_placemat_folders} NO_DEFAULT_PATH NO_CACHE)

if(NOT _placemat_include OR NOT (_placemat_shared OR _placemat_static))
    set(placemat_FOUND FALSE)
    set(placemat_NOT_FOUND_MESSAGE "placemat.h or libplacemat is not below ${_placemat_prefix}")
    return()
endif()

if(_placemat_static AND NOT TARGET placemat::static)
    add_library(placemat::static STATIC IMPORTED)
    set_target_properties(placemat::static PROPERTIES
        IMPORTED_LOCATION "${_placemat_static}"
        INTERFACE_INCLUDE_DIRECTORIES "${_placemat_include}")
    if(UNIX)
        # The system libraries that Rust's standard library needs.
        find_package(Threads REQUIRED)
        target_link_libraries(placemat::static INTERFACE Threads::Threads ${CMAKE_DL_LIBS} m)
        if(NOT APPLE)
            target_link_libraries(placemat::static INTERFACE gcc_s)
        endif()
    endif()
endif()

if(NOT TARGET placemat::placemat)
    if(_placemat_shared)
        add_library(placemat::placemat SHARED IMPORTED)
        set_target_properties(placemat::placemat PROPERTIES
            IMPORTED_LOCATION "${_placemat_shared}"
            INTERFACE_INCLUDE_DIRECTORIES "${_placemat_include}")
        if(WIN32)
            set_target_properties(placemat::placemat PROPERTIES IMPORTED_IMPLIB "${_placemat_shared}")
        endif()
    else()
        add_library(placemat::placemat INTERFACE IMPORTED)
        target_link_libraries(placemat::placemat INTERFACE placemat::static)
    endif()
endif()
