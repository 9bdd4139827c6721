#!/usr/bin/env node
// Keeps to syntax that any Node reads, so that an old one answers with a sentence.
var version = process.versions.node
if (Number(version.split('.')[0]) < 24) {
  console.error('Postil needs Node.js 24 or newer; this is ' + version + '.')
  process.exit(1)
}
void import('../dist/main.js')
