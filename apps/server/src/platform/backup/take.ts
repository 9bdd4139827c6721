import { mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readNextSecret, readSecretFile } from '#platform/auth/secrets/master-secret.ts'
import { createSecrets } from '#platform/auth/secrets/secrets.ts'
import { isSecretOf, SECRET_CHECK } from '#platform/auth/secrets/store-secret.ts'
import { revisionsOfFile } from '#platform/db/sqlite/revisions.ts'
import { copyDatabase, settingIn, syncPath } from '#platform/db/sqlite/snapshot.ts'
import { StoreError } from '#platform/db/store.ts'
import { VERSION } from '#platform/version.ts'
import { packBackup } from './archive.ts'
import { fileFromPostgres } from './between-engines.ts'
import { type OnStep, rowsOf } from './steps.ts'

/** What the configuration says about a store. */
export type BackupPlace = {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly databaseDirectUrl: string | undefined
  readonly secret: string | undefined
  readonly sqliteTimeoutMs: number
}

export type Taken = { readonly bytes: number; readonly revision: string | undefined; readonly holdsSecret: boolean }

export type Taking = {
  /** The folder of what is only half made, as soon as there is one. */
  readonly onDraft?: (folder: string) => void
  readonly onStep?: OnStep
}

/** Sessions hold a cursor and a snapshot, which a pooler would not keep together. */
export const directUrlOf = ({ databaseUrl, databaseDirectUrl }: BackupPlace): string | undefined =>
  databaseDirectUrl ?? databaseUrl

/**
 * The secret that goes along; null where the environment gives it.
 * @param database the copy. @throws StoreError where none, or another one than what is sealed there was sealed with, is at hand
 */
const secretBeside = async (database: string, { dataDir, secret }: BackupPlace): Promise<string | null> => {
  // NOTE: a file that is not used must not come back as the secret; of a change that was broken off the next one may be the store's
  const there = secret === undefined ? [await readSecretFile(dataDir), await readNextSecret(dataDir)] : [secret]
  const known = there.filter((one) => one !== null)
  if (known.length === 0) {
    throw new StoreError(`The folder ${dataDir} holds no secret, and POSTIL_SECRET is not set: what is sealed could not be read.`)
  }
  const check = settingIn(database, SECRET_CHECK)
  const found = known.find((one) => check === null || isSecretOf(createSecrets(one), check))
  if (found === undefined) {
    throw new StoreError(
      `${secret === undefined ? `The file "secret" in ${dataDir}` : 'POSTIL_SECRET'} is not the secret that this store was made with, so what is sealed could not be read. Set POSTIL_SECRET as its server has it. No backup was made.`,
    )
  }
  return secret === undefined ? found : null
}

/**
 * Writes a whole store as it is now into one file, from either engine in the form of the embedded one; a server may be running. The file appears when it is whole.
 * Needs room for a copy of the database beside it meanwhile. The store stays as it is, also one of an older version.
 * @throws StoreError
 */
export const takeBackup = async (
  place: BackupPlace,
  file: string,
  { onDraft, onStep = () => undefined }: Taking = {},
): Promise<Taken> => {
  const { dataDir, sqliteTimeoutMs } = place
  const url = directUrlOf(place)
  const draft = await mkdtemp(`${file}.part-`)
  onDraft?.(draft)
  try {
    const database = join(draft, 'postil.db')
    if (url === undefined)
      await copyDatabase(dataDir, database, {
        timeoutMs: sqliteTimeoutMs,
        onCopied: (done, total) => onStep({ what: 'copying', unit: 'bytes', done, total }),
      })
    else await fileFromPostgres(url, database, rowsOf('copying', onStep))
    const sealedWith = await secretBeside(database, place)
    if (sealedWith !== null) await writeFile(join(draft, 'secret'), `${sealedWith}\n`, { mode: 0o600 })
    const revisions = [...(await revisionsOfFile(database))]
    const packed = join(draft, 'packed')
    const about = { postil: VERSION, created_at: new Date().toISOString(), revisions }
    await packBackup(draft, sealedWith === null ? ['postil.db'] : ['secret', 'postil.db'], about, { target: packed, onStep })
    const { size } = await stat(packed)
    await rename(packed, file)
    await syncPath(dirname(file))
    return { bytes: size, revision: revisions.at(-1), holdsSecret: sealedWith !== null }
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}
