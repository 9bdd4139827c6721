import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { preparePythonVenv } from '../../scripts/lib/python.mjs'
import type { RunningServer } from '../harness/server.ts'

const run = promisify(execFile)

/** Runs one of the Python programs in this folder against a server. @returns the JSON on the last line that it prints */
export const sdk = async <T>(
  { url, apiKey }: Pick<RunningServer, 'url' | 'apiKey'>,
  program: string,
  ...args: readonly string[]
): Promise<T> => {
  const python = process.env.POSTIL_TEST_PYTHON ?? (await preparePythonVenv('sdk-venv', 'e2e/sdk/requirements.txt'))
  const env = {
    ...process.env,
    ARGILLA_API_URL: url,
    ARGILLA_API_KEY: apiKey,
    HF_HUB_OFFLINE: '1',
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONWARNINGS: 'ignore',
  }
  const { stdout } = await run(python, [join(import.meta.dirname, program), ...args], { env, maxBuffer: 2 ** 28 })
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as T
}
