import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { testEngine } from '@postil/testkit/store.ts'
import { expect, test } from 'vitest'
import { canMount, smallDisk } from '../durability/small-disk.ts'
import { postil } from '../harness/cli.ts'

test.runIf(testEngine() === 'sqlite' && canMount())(
  'a command reports a full disk, and succeeds once there is space',
  async () => {
    const disk = smallDisk(8)
    try {
      const place = { dataDir: disk.folder, databaseUrl: undefined, drop: async () => undefined }
      expect(await postil(place, ['workspaces', 'create', 'team'])).toMatchObject({ code: 0 })
      disk.fill(0)
      for (const args of [
        ['users', 'list'],
        ['workspaces', 'list'],
        ['doctor'],
        ['database', 'revisions'],
        ['database', 'migrate'],
      ]) {
        const { code, stdout, stderr } = await postil(place, args)
        expect({ args, code, stdout, stderr }).toEqual({
          args,
          code: 1,
          stdout: '',
          stderr: expect.stringMatching(/^The database file .*: The disk of the data folder is full \(.*\)\.\n$/),
        })
      }
      disk.empty()
      rmSync(join(disk.folder, 'filler'))
      expect((await postil(place, ['workspaces', 'list'])).stdout).toContain('team')
    } finally {
      disk.drop()
    }
  },
)
