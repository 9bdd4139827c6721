import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRoot } from '../../scripts/lib/run.mjs'

/* Inserts the ports and addresses of one machine into the files of `nginx/` and `pgbouncer/`, so that the tests use the
   recommended configuration. */

const template = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

/** @throws if the file doesn't contain the pattern */
const replaced = (text: string, pattern: RegExp, by: string): string => {
  if (!pattern.test(text)) throw new Error(`the configuration does not contain ${pattern}`)
  return text.replace(pattern, () => by)
}

/** The user and group that daemons run as, instead of root. */
const NOBODY = { uid: 65_534, gid: 65_534 }
export const unprivileged = (): { readonly uid?: number; readonly gid?: number } => (isRoot() ? NOBODY : {})

/**
 * @param processes the ports of the server processes
 * @returns the path of nginx's main configuration, which includes the files of `deploy/`
 */
export const nginxConfiguration = (folder: string, port: number, processes: readonly number[]): string => {
  const servers = processes.map((one) => `  server 127.0.0.1:${one} fail_timeout=2s;`).join('\n')
  const upstream = replaced(template('nginx/upstream.conf'), /( {2}server .*\n)+/, `${servers}\n`)
  const site = replaced(template('nginx/site.conf'), /listen 80;/, `listen 127.0.0.1:${port};`)
  writeFileSync(join(folder, 'upstream.conf'), upstream)
  writeFileSync(join(folder, 'site.conf'), site)
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${name};`)
  const main = [
    ...(isRoot() ? ['user nobody nogroup;'] : []),
    'daemon off;',
    'worker_processes 1;',
    'pid nginx.pid;',
    'error_log stderr warn;',
    'events { worker_connections 4096; }',
    'http {',
    '  log_format upstream "$upstream_addr $status";',
    '  access_log access.log upstream;',
    ...places,
    '  include upstream.conf;',
    '  include site.conf;',
    '}',
  ]
  const path = join(folder, 'nginx.conf')
  writeFileSync(path, `${main.join('\n')}\n`)
  return path
}

/**
 * @param url the database's own URL, not PgBouncer's
 * @returns the path of PgBouncer's configuration for one database
 */
export const poolerConfiguration = (folder: string, port: number, url: URL): string => {
  const users = join(folder, 'userlist.txt')
  const quoted = (text: string) => `"${decodeURIComponent(text).replaceAll('"', '""')}"`
  writeFileSync(users, `${quoted(url.username)} ${quoted(url.password)}\n`, { mode: 0o600 })
  const database = decodeURIComponent(url.pathname.slice(1))
  const line = `${database} = host=${url.hostname} port=${url.port || '5432'} dbname=${database}`
  let text = template('pgbouncer/pgbouncer.ini')
  text = replaced(text, /^postil = .*$/m, line)
  text = replaced(text, /^listen_port = .*$/m, `listen_port = ${port}`)
  text = replaced(text, /^auth_file = .*$/m, `auth_file = ${users}`)
  const path = join(folder, 'pgbouncer.ini')
  writeFileSync(path, text, { mode: 0o600 })
  const { uid, gid } = unprivileged()
  for (const one of [users, path]) if (uid !== undefined && gid !== undefined) chownSync(one, uid, gid)
  return path
}

/** Creates a folder that daemons of another user can read. */
export const openFolder = (path: string): string => {
  mkdirSync(path, { recursive: true })
  chmodSync(path, 0o755)
  return path
}
