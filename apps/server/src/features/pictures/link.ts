import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FileLink } from '@postil/contract/files/stored-files.ts'
import type { Actor } from '#features/records/service.ts'
import type { Secrets } from '#platform/auth/secrets/secrets.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { printTime } from '#platform/time.ts'
import { checkMaySee } from './queries.ts'

type Which = { readonly dataset_id: string; readonly name: string }
/** `expires`: seconds since the epoch. */
export type Signed = { readonly expires: number; readonly signature: string }
export type LinkCtx = { readonly store: Store; readonly config: Config; readonly secrets: Pick<Secrets, 'keyFor'> }

/** A link is good for between one and two of these; so it is the same one for a while, and what it names stays in the browser's cache. */
const SPAN_S = 600

const signatureOf = (secrets: LinkCtx['secrets'], { dataset_id, name }: Which, expires: number): Buffer =>
  createHmac('sha256', secrets.keyFor('file links')).update(`${dataset_id} ${name} ${expires}`).digest()

/** Whether a link was made here, for this file, and its time is not over. */
export const isGood = (secrets: LinkCtx['secrets'], { expires, signature, ...which }: Which & Signed): boolean => {
  const given = Buffer.from(signature, 'base64url')
  const own = signatureOf(secrets, which, expires)
  return given.length === own.length && timingSafeEqual(given, own) && expires > Date.now() / 1000
}

/**
 * An address of a stored file for where no credentials travel along, such as the frame of a custom field.
 * @throws Problem not_found, forbidden
 */
export const linkFile = async ({ store, secrets }: LinkCtx, user: Actor, which: Which): Promise<FileLink> => {
  const { dataset_id, name } = which
  await store.read(checkMaySee, { user: { id: user.id, role: user.role }, dataset_id })
  const expires = (Math.floor(Date.now() / 1000 / SPAN_S) + 2) * SPAN_S
  const signature = signatureOf(secrets, which, expires).toString('base64url')
  const path = `/api/v1/datasets/${dataset_id}/files/${name}/linked?expires=${expires}&signature=${signature}`
  return { path, expires_at: printTime(expires * 1_000_000) }
}
