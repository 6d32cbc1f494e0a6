#!/bin/sh
# Runs workerd and writes its standard output, with what V8 tells of its collections, to a file.
exec "$WORKERD" "$@" > "$WORKERD_TRACE"
