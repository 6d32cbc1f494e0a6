#!/usr/bin/env node
import { runCommand } from '../dist/cli/command.js'

process.exitCode = await runCommand(process.argv.slice(2), process.env, {
  out: (text) => console.log(text),
  error: (text) => console.error(text),
  fetch: (request) => fetch(request),
})
