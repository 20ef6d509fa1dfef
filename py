#!/bin/bash
# run the shared venv's python on this copy
here=$(cd "$(dirname "$0")" && pwd)
export PYTHONPATH=$here/src:$here/papers/src:$PYTHONPATH TRIADIC_DATA=/work/shared/data OCL_ICD_VENDORS=/etc/OpenCL/vendors
unset PYTHONDONTWRITEBYTECODE
exec nice -n 5 /work/main/.venv/bin/python "$@"
