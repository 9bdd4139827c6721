#!/usr/bin/env node
// Uses only syntax that every Node version can parse, so that an old version prints this message.
var version = process.versions.node
if (Number(version.split('.')[0]) < 24) {
  console.error('Postil needs Node.js 24 or newer, but this is Node.js ' + version + '.')
  process.exit(1)
}
void import('../dist/main.js')
