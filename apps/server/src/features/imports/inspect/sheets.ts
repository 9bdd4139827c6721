import type { ImportFile } from '@postil/contract/files/imports.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import * as commands from '../commands.ts'
import { printFile } from '../print-file.ts'
import * as queries from '../queries.ts'
import { type Names, namesOf, noNames } from '../rows/mapping.ts'
import { sourceOf } from '../uploads.ts'
import { inspectInThread } from './inspect-in-thread.ts'

type Ctx = { readonly store: Store; readonly config: Config }
type SheetArgs = { readonly file: queries.ImportRow; readonly dataset_id: string | null; readonly names: Names }

const selectSheet = async (
  { store, config }: Ctx,
  { file, dataset_id, names }: SheetArgs,
  sheetName: string,
): Promise<ImportFile> => {
  if (file.job_id !== null) throw queries.startedBefore(file.job_id)
  const { sheets = [] } = file.layout
  const sheet = sheets.indexOf(sheetName)
  if (sheet === -1) throw unprocessable(message('noSheet', { sheet: JSON.stringify(sheetName) }))
  const inspected = await inspectInThread(sourceOf(config, file.id), file.layout.format, sheet)
  await store.write(commands.changeLayout, { id: file.id, layout: inspected.layout })
  return printFile({ ...file, dataset_id }, inspected, names)
}

/** Switches an uploaded workbook to a different sheet. @throws Problem not_found, forbidden, unprocessable */
export const chooseSheet = async (
  ctx: Ctx,
  user: Actor,
  { dataset_id, file_id }: { readonly dataset_id: string; readonly file_id: string },
  sheet: string,
): Promise<ImportFile> => {
  const { target, file } = await ctx.store.read(queries.findImport, { user: actorOf(user), dataset_id, file_id })
  return selectSheet(ctx, { file, dataset_id, names: namesOf(target.schema) }, sheet)
}

/** Like `chooseSheet`, for a dataset that doesn't exist yet. @throws Problem not_found, forbidden, unprocessable */
export const chooseMySheet = async (ctx: Ctx, user: Actor, file_id: string, sheet: string): Promise<ImportFile> => {
  const file = await ctx.store.read(queries.findMyImport, { user: actorOf(user), file_id })
  return selectSheet(ctx, { file, dataset_id: null, names: noNames }, sheet)
}
