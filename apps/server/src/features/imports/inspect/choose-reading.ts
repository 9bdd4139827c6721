import type { ReadAs } from '@postil/contract/files/foreign-formats.ts'
import type { ImportFile, ReadingBody } from '@postil/contract/files/imports.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import * as commands from '../commands.ts'
import { printFile } from '../print-file.ts'
import * as queries from '../queries.ts'
import { noDelimiter } from '../reading/cells.ts'
import { type Names, namesOf, noNames } from '../rows/mapping.ts'
import { removeTexts, sourceOf } from '../uploads.ts'
import { inspectInThread } from './inspect-in-thread.ts'
import { formatOfLayout, type Layout, readingOf } from './layout.ts'
import type { ReadingChoice } from './reading.ts'

type Ctx = { readonly store: Store; readonly config: Config }
type FileKey = { readonly dataset_id: string; readonly file_id: string }
type FileArgs = { readonly file: queries.ImportRow; readonly dataset_id: string | null; readonly names: Names }
/** Takes the current layout of a file, and returns how the user wants the file to be read. */
type Choice = (layout: Layout) => ReadingChoice

/** Reads another sheet of a workbook, and recognizes the content of that sheet. */
export const sheetNamed =
  (name: string): Choice =>
  ({ sheets = [] }) => {
    const sheet = sheets.indexOf(name)
    if (sheet === -1) throw unprocessable(message('noSheet', { sheet: JSON.stringify(name) }))
    return { sheet }
  }

/** Reads the file as a format of another program, or unchanged if `as` is `plain`. */
export const readAs =
  (as: ReadAs): Choice =>
  (layout) => ({ ...readingOf(layout), as })

/**
 * Changes the encoding, the separator, the heading row or the unit (for example, one record per line). The content of the rows is
 * then recognized again.
 */
export const readingOfBody =
  (body: ReadingBody): Choice =>
  (layout) => {
    const { separator, ...rest } = body
    const sent = { ...rest, ...(separator !== undefined && { separator: separator === '' ? noDelimiter : separator }) }
    const changed = Object.entries(sent).filter(([, value]) => value !== undefined)
    return { ...readingOf(layout), ...Object.fromEntries(changed.map(([key, value]) => [key, value ?? undefined])) }
  }

const changeReading = async (
  { store, config }: Ctx,
  { file, dataset_id, names }: FileArgs,
  choose: Choice,
): Promise<ImportFile> => {
  if (file.job_id !== null) throw queries.startedBefore(file.job_id)
  const { layout } = file
  const inspected = await inspectInThread(sourceOf(config, file.id), formatOfLayout(layout), choose(layout))
  await store.write(commands.changeLayout, { id: file.id, layout: inspected.layout })
  await removeTexts(config, file.id, [layout.encoding, inspected.layout.encoding])
  return printFile({ ...file, dataset_id }, inspected, names)
}

/** Changes how an uploaded file is read. @throws Problem not_found, forbidden, unprocessable */
export const rereadFile = async (
  ctx: Ctx,
  user: Actor,
  { dataset_id, file_id }: FileKey,
  choose: Choice,
): Promise<ImportFile> => {
  const { target, file } = await ctx.store.read(queries.findImport, { user: actorOf(user), dataset_id, file_id })
  return changeReading(ctx, { file, dataset_id, names: namesOf(target.schema) }, choose)
}

/** Like `rereadFile`, for a dataset that doesn't exist yet. @throws Problem not_found, forbidden, unprocessable */
export const rereadMyFile = async (ctx: Ctx, user: Actor, file_id: string, choose: Choice): Promise<ImportFile> => {
  const file = await ctx.store.read(queries.findMyImport, { user: actorOf(user), file_id })
  return changeReading(ctx, { file, dataset_id: null, names: noNames }, choose)
}
