// Runs before `npm start` and other npm commands, on any installed Node. It uses only syntax that every version can parse.
// With the argument `install`, it installs the dependencies but doesn't build anything.
var version = process.versions.node.split('.').map(Number)
if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
  console.error(
    'Postil needs Node.js 20.19 or newer to install, but this is Node.js ' +
      process.versions.node +
      '. Install a newer version first.',
  )
  process.exit(1)
}
import('./prepare.mjs')
  .then((module) => (process.argv[2] === 'install' ? module.install() : module.prepare()))
  .catch((error) => {
    console.error(error && error.name === 'UserError' ? error.message : error)
    process.exit(1)
  })
