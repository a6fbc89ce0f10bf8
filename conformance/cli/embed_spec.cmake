# cmake -D IN=SPEC.md -D OUT=spec_text.cc -P embed_spec.cmake: the specification as one string constant.
file(READ "${IN}" text)
string(FIND "${text}" ")adahop_spec\"" clash)
if(NOT clash EQUAL -1)
  message(FATAL_ERROR "${IN} holds the end marker of the raw string")
endif()
file(WRITE "${OUT}" "#include \"conformance/cli/spec_text.h\"

const std::string_view adahop::cli::kSpecText = R\"adahop_spec(${text})adahop_spec\";
")
