#!/bin/sh
# workerd whose standard output goes nowhere: each line that it wrote into the simulator's pipe would wake another process.
exec "$WORKERD" "$@" > /dev/null
