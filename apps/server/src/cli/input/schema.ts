import type { Config } from '#platform/config/read-config.ts'
import { migrations } from '#platform/db/migrate.ts'
import { appliedRevisions } from '#platform/db/revisions.ts'
import { CommandError } from '../command.ts'

/**
 * Refuses a store of an older version, because opening it would upgrade it. An older server that is still running couldn't open
 * the upgraded store after a restart.
 * @throws CommandError if opening the store would upgrade it
 */
export const checkSchema = async (config: Config): Promise<void> => {
  const applied = await appliedRevisions(config)
  const at = applied.at(-1)
  if (at === undefined) {
    throw new CommandError(
      "The database contains no Postil data. Choose another database, or run 'postil start' to create the tables.",
    )
  }
  if (migrations.every(({ name }) => applied.includes(name))) return
  throw new CommandError(
    `The database was last used by an older version of Postil (${at}), and a server of that version may still be running. Run 'postil start' or 'postil database migrate' to upgrade the database. Older versions cannot open it afterwards.`,
  )
}
