#!/bin/sh
# A session by the Temporal CLI alone: the workflow type, the task queue and the JSON are what an SDK of any language sends.
# Usage: run-session.sh WORKFLOW-ID [FILE]; TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE say where the server is. A stack of
# `surefoot dev` encrypts results: TEMPORAL_CODEC_ENDPOINT (http://localhost:3000/codec) has its API decrypt them.
set -eu
id=${1:?'an id for the workflow is missing'}
file=${2:-$(dirname "$0")/session.json}

temporal workflow start --type session --task-queue surefoot --workflow-id "$id" --input-file "$file" >&2
# Ends with 1 where the session fails, and prints its error.
temporal workflow result --workflow-id "$id" --output json
# How far it is, at any time; `--name pause`, `resume`, `cancel` and `addSteps` of `temporal workflow signal` control it.
temporal workflow query --workflow-id "$id" --type progress --output json
