# async_tidy_embed(<target> HEADER <header> ACCESSOR <function> TYPE <type>
#                  FILES <file>...)
# Compiles the texts of the files into <target> as
#   ArrayRef<async_tidy::TYPE> async_tidy::ACCESSOR();
# where HEADER declares the accessor and the struct TYPE {StringRef, StringRef},
# which gets each file's name without directory and extension, and its text.
function(async_tidy_embed target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;ACCESSOR;TYPE" "FILES")
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${arg_ACCESSOR}.cpp")
  set(script "${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake")
  set(list "${CMAKE_CURRENT_BINARY_DIR}/${arg_ACCESSOR}.list")
  list(JOIN arg_FILES "\n" lines)
  # Written only when changed, so that configuring again rebuilds nothing.
  file(CONFIGURE OUTPUT "${list}" CONTENT "${lines}\n" @ONLY)
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DLIST=${list}"
            "-DHEADER=${arg_HEADER}" "-DACCESSOR=${arg_ACCESSOR}"
            "-DTYPE=${arg_TYPE}" -P "${script}"
    DEPENDS ${arg_FILES} "${list}" "${script}"
    COMMENT "Embedding ${arg_ACCESSOR}"
    VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
