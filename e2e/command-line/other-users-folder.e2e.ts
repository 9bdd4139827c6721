import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { isDailyRun } from '@postil/testkit/detail.ts'
import { expect, test } from 'vitest'
import { postil } from '../harness/cli.ts'
import { emptyPlace, environment, testEngine } from '../harness/server.ts'

const program = join(import.meta.dirname, '../../apps/server/dist/main.js')
const NOBODY = { uid: 65534, gid: 65534 }

// Root can read every folder, so root runs the commands as another user.
test.runIf(testEngine() === 'sqlite' && !isDailyRun)('data of another user is not reported as missing', async () => {
  const place = await emptyPlace()
  await postil(place, ['workspaces', 'create', 'team'])
  const unprivileged = process.getuid?.() === 0 ? NOBODY : {}
  const outputOf = (args: readonly string[]): string => {
    try {
      return execFileSync(process.execPath, [program, ...args], {
        ...unprivileged,
        env: environment(place),
        cwd: '/',
        stdio: 'pipe',
      }).toString()
    } catch (error) {
      return (error as { stderr: Buffer }).stderr.toString()
    }
  }
  for (const path of [place.dataDir, join(place.dataDir, 'postil.db')]) {
    chmodSync(place.dataDir, 0o755)
    chmodSync(path, 0o000)
    for (const args of [['doctor'], ['start']]) {
      const sentence = `This user cannot read ${path}. Run the command as the user that runs the server, or choose another folder with POSTIL_DATA_DIR or --data-dir.\n`
      expect([args, outputOf(args)]).toEqual([args, sentence])
    }
  }
  chmodSync(place.dataDir, 0o700)
  await place.drop()
})

test.runIf(process.getuid?.() === 0)(
  'a user without a name or home folder, as in a container, can run it with a configured folder',
  async () => {
    const place = await emptyPlace('sqlite')
    chmodSync(place.dataDir, 0o777)
    const { HOME: _, ...env } = environment(place)
    expect(
      execFileSync(process.execPath, [program, 'database', 'revisions'], {
        uid: 60_321,
        gid: 60_321,
        env,
        cwd: '/',
        stdio: 'pipe',
      }).toString(),
    ).toMatch(/^0001/)
    await place.drop()
  },
)
