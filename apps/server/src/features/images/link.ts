import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FileLink } from '@postil/contract/files/stored-files.ts'
import { type Actor, actorOf } from '#platform/auth/actor.ts'
import type { Secrets } from '#platform/auth/secrets/secrets.ts'
import type { Config } from '#platform/config/read-config.ts'
import type { Store } from '#platform/db/store.ts'
import { printTime } from '#platform/time.ts'
import { checkMaySee } from './queries.ts'

type ImageKey = { readonly dataset_id: string; readonly name: string }

/** `expires`: seconds since the epoch. */
export type Signed = { readonly expires: number; readonly signature: string }
export type LinkCtx = { readonly store: Store; readonly config: Config; readonly secrets: Pick<Secrets, 'keyFor'> }

/**
 * Length of a time span in seconds. A link is valid for one to two spans. Its URL stays the same within a span, so that the
 * browser can cache the file.
 */
const SPAN_S = 600

const signatureOf = (secrets: LinkCtx['secrets'], { dataset_id, name }: ImageKey, expires: number): Buffer =>
  createHmac('sha256', secrets.keyFor('file links')).update(`${dataset_id} ${name} ${expires}`).digest()

/** Whether this server created the link for this file and the link hasn't expired. */
export const isGood = (secrets: LinkCtx['secrets'], { expires, signature, ...key }: ImageKey & Signed): boolean => {
  const sentSignature = Buffer.from(signature, 'base64url')
  const own = signatureOf(secrets, key, expires)
  return sentSignature.length === own.length && timingSafeEqual(sentSignature, own) && expires > Date.now() / 1000
}

/**
 * Creates a URL of a stored file for use without credentials, for example in the frame of a custom field.
 * @throws Problem not_found, forbidden
 */
export const linkFile = async ({ store, secrets }: LinkCtx, user: Actor, key: ImageKey): Promise<FileLink> => {
  const { dataset_id, name } = key
  await store.read(checkMaySee, { user: actorOf(user), dataset_id })
  const expires = (Math.floor(Date.now() / 1000 / SPAN_S) + 2) * SPAN_S
  const signature = signatureOf(secrets, key, expires).toString('base64url')
  const path = `/api/v1/datasets/${dataset_id}/files/${name}/linked?expires=${expires}&signature=${signature}`
  return { path, expires_at: printTime(expires * 1_000_000) }
}
