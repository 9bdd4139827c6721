import { z } from 'zod'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { maxViewName, maxViewQuery } from './wire/limits.ts'
import { patch } from './wire/patch.ts'
import { Fault, notString, scalar, valueError } from './wire/scalar.ts'
import { bool, boolOr, itemsOf, printedDatetime, printedUuid, text } from './wire/scalars.ts'

const number = String.raw`-?[\d!.eE+-]+`
const range = String.raw`(?:ge${number}(?:\.le${number})?|le${number})`
const named = String.raw`[^.~]+\.[^~]+`
const listOf = (item: string): RegExp => new RegExp(`^${item}(?:~${item})*$`, 's')

/** The query parameters of the annotation screen in their fixed order, each with the pattern of its values. */
const parameters: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['page', /^1(?:~[1-9]\d{0,3})?$/],
  ['status', /^(?:pending|draft|submitted|discarded)$/],
  ['search', /^.*\S.*$/s],
  ['metadata', listOf(String.raw`[^.~]+\.(?:${range}|[^~]+)`)],
  ['response', listOf(named)],
  ['suggestion', listOf(String.raw`[^.~]+\.(?:value|score|agent)\.[^~]+`)],
  ['sort', listOf(String.raw`(?:record|metadata|suggestion|response)\.[^~]+\.(?:asc|desc)`)],
  ['similarity', /^record\.[^.]+\.vector\..+\.limit\.\d{1,4}\.order\.(?:most|least)$/s],
]

const decodePart = (value: string): string | null => {
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}

/** Why a query is invalid, or null. */
const queryFault = (query: string): string | null => {
  let next = 0
  for (const part of query.split('&')) {
    const [name = '', ...rest] = part.split('=')
    const at = parameters.findIndex(([known]) => known === name)
    if (at < 0) return `\`${name.slice(0, 50)}\` is not a parameter of the annotation screen`
    if (at < next) return `\`${name}\` is repeated or out of order`
    next = at + 1
    const value = decodePart(rest.join('='))
    if (value === null || encodeURIComponent(value) !== rest.join('=') || value.includes('\0'))
      return `\`${name}\` is not percent-encoded correctly`
    if (!parameters[at]?.[1].test(value)) return `\`${name}\` has a value that the annotation screen cannot read`
  }
  return null
}

/**
 * The query of the annotation screen's URL without the question mark. The parameters are percent-encoded and in their fixed
 * order. If there is a `page`, it must be page 1.
 */
export const ViewQuery = scalar<string>({ type: 'string', minLength: 1, maxLength: maxViewQuery }, (value) => {
  if (typeof value !== 'string') return notString()
  if (value === '') return new Fault('string_too_short', 'String should have at least 1 character')
  if (value.length > maxViewQuery) return new Fault('string_too_long', `String should have at most ${maxViewQuery} characters`)
  const fault = queryFault(value)
  return fault === null ? value : valueError(fault)
})

export const SavedView = z.strictObject({
  id: printedUuid(),
  name: z.string(),
  query: z.string(),
  /** Whether everyone who can open the dataset sees the view. If false, only its author sees it. */
  shared: z.boolean(),
  /** The author. */
  user: z.strictObject({ id: printedUuid(), username: z.string() }),
  inserted_at: printedDatetime(),
  updated_at: printedDatetime(),
})
export type SavedView = z.infer<typeof SavedView>

const name = text({ min: 1, max: maxViewName })

export const SavedViewCreate = z.object({ name, query: ViewQuery, shared: boolOr(false) })
export type SavedViewCreate = z.infer<typeof SavedViewCreate>
export const SavedViewUpdate = patch({ name, query: ViewQuery, shared: bool() })
export type SavedViewUpdate = z.infer<typeof SavedViewUpdate>

export const listSavedViews = defineEndpoint({
  id: 'saved_views.list',
  method: 'GET',
  path: '/datasets/:dataset_id/views',
  result: itemsOf(SavedView),
  errors: [403, 404],
  addition: true,
  summary: "List the caller's own views of a dataset and the shared ones, oldest first",
})
export const createSavedView = defineEndpoint({
  id: 'saved_views.create',
  method: 'POST',
  path: '/datasets/:dataset_id/views',
  body: SavedViewCreate,
  status: 201,
  result: SavedView,
  errors: [403, 404, 409],
  addition: true,
  summary: 'Save a view of a dataset; at most 100 per person and dataset',
})
export const updateSavedView = defineEndpoint({
  id: 'saved_views.update',
  method: 'PATCH',
  path: '/datasets/:dataset_id/views/:view_id',
  body: SavedViewUpdate,
  result: SavedView,
  errors: [403, 404, 409],
  addition: true,
  summary: 'Rename a view, share it, or change what it shows',
})
export const deleteSavedView = defineEndpoint({
  id: 'saved_views.delete',
  method: 'DELETE',
  path: '/datasets/:dataset_id/views/:view_id',
  result: SavedView,
  errors: [403, 404, 409],
  addition: true,
  summary: 'Delete a view; not possible while it selects test items',
})

export const savedViewEndpoints = [listSavedViews, createSavedView, updateSavedView, deleteSavedView] as const
