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

/** The configuration values needed to open a database: its location, secret and SQLite timeout. */
export type BackupPlace = {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly databaseDirectUrl: string | undefined
  readonly secret: string | undefined
  readonly sqliteTimeoutMs: number
}

type BackupSummary = { readonly bytes: number; readonly revision: string | undefined; readonly holdsSecret: boolean }

type BackupOptions = {
  /** Called with the temporary folder as soon as it exists. */
  readonly onDraft?: (folder: string) => void
  readonly onStep?: OnStep
}

/**
 * The URL that bypasses a pooler, or the usual URL if none is configured. A pooler could split a backup's cursor and snapshot
 * across connections.
 */
export const directUrlOf = ({ databaseUrl, databaseDirectUrl }: BackupPlace): string | undefined =>
  databaseDirectUrl ?? databaseUrl

/**
 * Returns the secret to include in the backup; null if it comes from the environment.
 * @param database path of the copy. @throws StoreError if there is no secret, or if it can't decrypt the sealed values
 */
const secretToPack = async (database: string, { dataDir, secret }: BackupPlace): Promise<string | null> => {
  // If POSTIL_SECRET is set, the secret file is unused. It is not included, because a restore would activate it. If it isn't set,
  // the store may already use the next secret, because `secret change` may have been interrupted.
  const storedSecrets = secret === undefined ? [await readSecretFile(dataDir), await readNextSecret(dataDir)] : [secret]
  const known = storedSecrets.filter((one) => one !== null)
  if (known.length === 0) {
    throw new StoreError(
      `The folder ${dataDir} contains no secret, and POSTIL_SECRET is not set, so encrypted data could not be read.`,
    )
  }
  const check = settingIn(database, SECRET_CHECK)
  const found = known.find((one) => check === null || isSecretOf(createSecrets(one), check))
  if (found === undefined) {
    throw new StoreError(
      `${secret === undefined ? `The file "secret" in ${dataDir}` : 'POSTIL_SECRET'} is not the secret that this database was created with, so encrypted data could not be read. Set POSTIL_SECRET to the server's value. No backup was made.`,
    )
  }
  return secret === undefined ? found : null
}

/**
 * Writes a snapshot of a store to one file. The file is an SQLite database, even if the store is on PostgreSQL. A server may be
 * running. The file appears only once it is complete. Needs space next to the file for a temporary copy of the database. The
 * store is not changed or upgraded.
 * @throws StoreError
 */
export const createBackup = async (
  place: BackupPlace,
  file: string,
  { onDraft, onStep = () => undefined }: BackupOptions = {},
): Promise<BackupSummary> => {
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
    const sealedWith = await secretToPack(database, place)
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
