/** Python packages for the tests. They are installed into `.cache` once, and again when their list changes. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aptInstall } from './apt.mjs'
import { cache, isRoot, root, run, runOrThrow, UserError, which } from './run.mjs'

const NEEDED =
  'The tests need Python 3.9 or newer with the venv module. Install python3 and python3-venv (on Debian: apt-get install python3 python3-venv).'

const python = async () => {
  const find = () => which('python3') ?? which('python')
  let found = find()
  if (!found && isRoot()) {
    await aptInstall(['python3', 'python3-venv'])
    found = find()
  }
  if (!found) throw new UserError(NEEDED)
  const check = 'import sys; sys.exit(0 if sys.version_info >= (3, 9) else 1)'
  if ((await run(found, ['-c', check], { quiet: true })).code !== 0) throw new UserError(NEEDED)
  return found
}

const makeVenv = async (folder) => {
  const program = await python()
  const create = () => run(program, ['-m', 'venv', folder], { quiet: true })
  let made = await create()
  if (made.code !== 0 && isRoot()) {
    await aptInstall(['python3-venv'])
    rmSync(folder, { recursive: true, force: true })
    made = await create()
  }
  if (made.code !== 0) throw new UserError(`${NEEDED}\n${made.output.slice(-2000)}`)
}

/**
 * Creates a virtual environment with exactly the requirements of a file. `name` is its folder in `.cache`.
 * @returns {Promise<string>} the path of its Python
 */
export const preparePythonVenv = async (name, requirements) => {
  const folder = join(cache, name)
  const stamp = join(folder, 'stamp')
  const list = readFileSync(join(root, requirements), 'utf8')
  const wanted = createHash('sha256').update(list).digest('hex')
  const binary = join(folder, 'bin', 'python')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && existsSync(binary)) return binary
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  await makeVenv(folder)
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input']
  await runOrThrow(binary, [...pip, '-r', join(root, requirements)])
  writeFileSync(stamp, wanted)
  return binary
}
