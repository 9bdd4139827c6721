/**
 * Prepares `npm start`: installs dependencies and the pinned Node, and builds the server and the web app. Each step first checks
 * whether it is needed, so a second start takes only milliseconds.
 */
import { createHash } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cache, root, run, runOrThrow, UserError } from './lib/run.mjs'

/** The Node that runs everything. */
export const pinnedNode = join(root, 'node_modules', 'node', 'bin', 'node')

/** Runs the npm that called this script, or the one on PATH. */
const npm = (args, options = {}) => {
  const script = process.env.npm_execpath
  return script?.endsWith('npm-cli.js') ? run(process.execPath, [script, ...args], options) : run('npm', args, options)
}

const mtime = (path) => (existsSync(path) ? statSync(path).mtimeMs : Number.NEGATIVE_INFINITY)

/**
 * npm ends an installation by writing a lock file to `node_modules`. If `package-lock.json` is newer than that file, it has
 * changed since the last installation.
 */
const installDependencies = async () => {
  const lock = join(root, 'package-lock.json')
  if (mtime(join(root, 'node_modules', '.package-lock.json')) >= mtime(lock)) return
  console.log('Installing dependencies …')
  const { code } = await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  if (code !== 0) throw new UserError('Could not install the dependencies. See the npm output above.')
}

/**
 * The `node` package downloads its binary in an install script. If scripts are not allowed, this installs the package for the
 * current platform directly.
 */
const installNode = async () => {
  if (existsSync(pinnedNode)) return
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules', 'node', 'package.json'), 'utf8'))
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  const name = [prefix, process.platform === 'win32' ? 'win' : process.platform, process.arch].join('-')
  console.log(`Installing Node.js ${version} …`)
  const home = join(cache, 'node')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{"private":true}')
  const args = [
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--loglevel=error',
    '--prefix',
    home,
    `${name}@${version}`,
  ]
  if ((await npm(args, { cwd: home })).code !== 0)
    throw new UserError(`Could not install Node.js ${version}. See the npm output above.`)
  mkdirSync(dirname(pinnedNode), { recursive: true })
  linkSync(join(home, 'node_modules', name, 'bin', 'node'), pinnedNode)
  const link = join(root, 'node_modules', '.bin', 'node')
  if (!existsSync(link)) {
    rmSync(link, { force: true })
    symlinkSync(join('..', 'node', 'bin', 'node'), link)
  }
}

const NOT_SOURCES = /(^|\/)(node_modules|dist|\.cache)(\/|$)|\.test\.tsx?$/

/** What must be built before a start: the sources of each build, and the file that exists once it is done. */
const BUILDS = [
  {
    name: 'server',
    title: 'server',
    sources: ['apps/server/src', 'packages/contract/src', 'scripts/build-server.mjs', 'package-lock.json'],
    result: 'apps/server/dist/main.js',
    command: ['scripts/build-server.mjs'],
  },
  {
    name: 'page',
    title: 'web app',
    sources: ['apps/web', 'packages/contract/src', 'packages/client/src', 'package-lock.json'],
    result: 'apps/web/dist/index.html',
    command: ['node_modules/vite/bin/vite.js', 'build', 'apps/web'],
  },
]

const filesUnder = (path) => {
  const full = join(root, path)
  if (NOT_SOURCES.test(path) || !existsSync(full)) return []
  return statSync(full).isDirectory() ? readdirSync(full).flatMap((name) => filesUnder(`${path}/${name}`)) : [path]
}

const hashOf = (parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}

const timeAndSize = (file) => {
  const { mtimeMs, size } = statSync(join(root, file))
  return [file, String(mtimeMs), String(size)]
}

/** Builds if the sources have changed. Compares their times and sizes first, and their contents only if times or sizes differ. */
const buildWhenStale = async ({ name, title, sources, result, command }) => {
  const stampFile = join(cache, `${name}.json`)
  const files = sources.flatMap(filesUnder).sort()
  const quick = hashOf(files.flatMap(timeAndSize))
  const known = existsSync(join(root, result)) && existsSync(stampFile)
  const stamp = known ? JSON.parse(readFileSync(stampFile, 'utf8')) : {}
  if (stamp.quick === quick) return
  const content = hashOf(files.flatMap((file) => [file, readFileSync(join(root, file))]))
  if (stamp.content !== content) {
    console.log(`Building the ${title} …`)
    rmSync(stampFile, { force: true })
    // If this is called by a test runner, its NODE_ENV would make the web app include React's development code.
    await runOrThrow(pinnedNode, command, { env: { ...process.env, NODE_ENV: 'production' } })
  }
  mkdirSync(cache, { recursive: true })
  writeFileSync(stampFile, JSON.stringify({ quick, content }))
}

/** Installs the dependencies and the pinned Node. */
export const install = async () => {
  await installDependencies()
  await installNode()
}

/** Installs and builds everything that `npm start` needs. */
export const prepare = async () => {
  await install()
  for (const build of BUILDS) await buildWhenStale(build)
}
