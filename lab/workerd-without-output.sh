#!/bin/sh
# Runs workerd and discards its standard output. Each line in the simulator's pipe would wake another process.
exec "$WORKERD" "$@" > /dev/null
