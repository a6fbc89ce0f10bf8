# Flags and helpers that every target of the project shares.
include_guard(GLOBAL)

set(ADAHOP_SANITIZE "" CACHE STRING "Sanitizers for every target, e.g. address,undefined")
option(ADAHOP_WARNINGS_AS_ERRORS "Warnings stop the build (CI)" OFF)
option(ADAHOP_COVERAGE "Count executed lines, for clang's llvm-cov: fuzz/coverage.sh" OFF)

# What results depend on. PUBLIC on whoever computes: GCC contracts a*b+c by default, which changes bits.
add_library(adahop_exact INTERFACE)
target_compile_options(adahop_exact INTERFACE -ffp-contract=off -fno-fast-math)

add_library(adahop_warnings INTERFACE)
target_compile_options(adahop_warnings INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wnon-virtual-dtor)
if(ADAHOP_WARNINGS_AS_ERRORS)
  target_compile_options(adahop_warnings INTERFACE -Werror)
endif()

if(ADAHOP_SANITIZE)
  # -Og for the -O3 of Release: compiling with sanitizers takes a third of the time. GCC's flow analysis sees uninitialized
  # values in what sanitizers add; the plain build has this warning.
  add_compile_options(-fsanitize=${ADAHOP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    $<$<CONFIG:Release>:-Og> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  add_link_options(-fsanitize=${ADAHOP_SANITIZE})
  add_compile_definitions(ADAHOP_SANITIZED)  # conformance/unit/repetitions.h
endif()

if(ADAHOP_ENABLE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "ADAHOP_ENABLE_FUZZ: expected clang as the C++ compiler, for libFuzzer; got ${CMAKE_CXX_COMPILER_ID}")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link -gline-tables-only)
endif()

if(ADAHOP_COVERAGE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "ADAHOP_COVERAGE: expected clang as the C++ compiler, got ${CMAKE_CXX_COMPILER_ID}")
  endif()
  # Everywhere: where one program does not count, the linker may take its copy of an inline function for all.
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()

# adahop_library(<name> SOURCES ... LINKS ...): a static library with the project's settings and alias adahop::<name>.
function(adahop_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_library(adahop_${name} STATIC ${arg_SOURCES})
  add_library(adahop::${name} ALIAS adahop_${name})
  set_target_properties(adahop_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON EXPORT_NAME ${name})
  target_compile_features(adahop_${name} PUBLIC cxx_std_20)
  target_link_libraries(adahop_${name} PUBLIC adahop_exact ${arg_LINKS} PRIVATE $<BUILD_INTERFACE:adahop_warnings>)
endfunction()

# adahop_test(<name> SOURCES ... LINKS ... LABELS ...): a Catch2 program, one CTest test with these labels.
function(adahop_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE adahop_catch_main adahop_exact adahop_warnings ${arg_LINKS})
  # Tests run once or twice between builds: a fifth less to compile is worth more than their speed.
  if(NOT ADAHOP_SANITIZE)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 600)
endfunction()
