import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { emptyStore } from '@postil/testkit/store.ts'
import { describe, expect, it } from 'vitest'
import { StoreError } from '#platform/db/store.ts'
import { masterSecret } from './master-secret.ts'
import { createSecrets } from './secrets.ts'
import { secretsOfStore } from './store-secret.ts'

const inFolder = async (work: (folder: string) => Promise<void>) => {
  const folder = await mkdtemp(join(tmpdir(), 'postil secret '))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('encrypted texts', () => {
  const secrets = createSecrets('one secret of the tests')

  it('can be decrypted with the same secret only, differ each time and reveal nothing', () => {
    const sealed = secrets.encrypt('kéy')
    expect(secrets.encrypt('kéy')).not.toBe(sealed)
    expect(Buffer.from(sealed.slice(3), 'base64url').includes('kéy')).toBe(false)
    expect(secrets.decrypt(sealed)).toBe('kéy')
    expect(createSecrets('one secret of the tests').decrypt(sealed)).toBe('kéy')
    expect(createSecrets('another secret').decrypt(sealed)).toBeNull()
    expect(secrets.decrypt(secrets.encrypt(''))).toBe('')
  })

  it('can’t be decrypted if any byte changes', () => {
    const sealed = secrets.encrypt('key')
    const bytes = Buffer.from(sealed.slice(3), 'base64url')
    for (let i = 0; i < bytes.length; i += 1) {
      const damaged = Buffer.from(bytes)
      damaged[i] = (damaged[i] ?? 0) ^ 1
      expect(secrets.decrypt(`v1.${damaged.toString('base64url')}`)).toBeNull()
    }
    for (const text of ['', 'v1.', 'key', sealed.slice(0, -1), `v2.${sealed.slice(3)}`]) expect(secrets.decrypt(text)).toBeNull()
  })

  it('use a separate key for each purpose', () => {
    const keys = ['seal', 'jwt'].map((purpose) => Buffer.from(secrets.keyFor(purpose)).toString('hex'))
    expect(new Set(keys).size).toBe(2)
    expect(keys[0]).toHaveLength(64)
  })
})

describe('the server’s secret', () => {
  const none = { secret: undefined, databaseUrl: undefined }

  it('is created once, readable by its owner only, even under concurrent starts', () =>
    inFolder(async (folder) => {
      const dataDir = join(folder, 'data')
      const made = await Promise.all(Array.from({ length: 8 }, () => masterSecret({ ...none, dataDir })))
      expect(new Set(made).size).toBe(1)
      expect(made[0]?.length).toBeGreaterThanOrEqual(43)
      expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600)
      expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
      expect(await masterSecret({ ...none, dataDir })).toBe(made[0])
      expect((await readFile(join(dataDir, 'secret'), 'utf8')).trim()).toBe(made[0])
    }))

  it('from the configuration takes precedence, and PostgreSQL requires it there', () =>
    inFolder(async (dataDir) => {
      expect(await masterSecret({ ...none, secret: 'configured secret', dataDir })).toBe('configured secret')
      await expect(masterSecret({ ...none, databaseUrl: 'postgresql://x', dataDir })).rejects.toThrow(/POSTIL_SECRET/)
    }))

  it('isn’t replaced if it is damaged', () =>
    inFolder(async (dataDir) => {
      await writeFile(join(dataDir, 'secret'), '')
      await expect(masterSecret({ ...none, dataDir })).rejects.toThrow(StoreError)
    }))

  it('must be the one that the database was created with', async () => {
    const { store, drop } = await emptyStore({ operations: new URL('./store-secret.ts', import.meta.url).href })
    const open = (secret: string) => secretsOfStore(store, secret, { secret, dataDir: tmpdir() })
    await open('the first one')
    const sealed = (await open('the first one')).encrypt('text')
    expect((await open('the first one')).decrypt(sealed)).toBe('text')
    await expect(open('another one')).rejects.toThrow(/POSTIL_SECRET/)
    await drop()
  })
})
