import { bool } from './parsers.ts'

/** The Hub Space that the server runs in, read from the environment. The keys match those of `GET /settings`. */
export type Space = {
  readonly space_id: string
  readonly space_title: string | undefined
  readonly space_subdomain: string | undefined
  readonly space_host: string | undefined
  readonly space_repo_name: string | undefined
  readonly space_author_name: string | undefined
  readonly space_persistent_storage_enabled: boolean
}

export const readSpace = (env: { readonly [name: string]: string | undefined }): Space | undefined => {
  if (!env.SPACE_ID) return undefined
  // PERSISTANT is the Hub's spelling.
  const storage = bool(env.PERSISTANT_STORAGE_ENABLED ?? 'false')
  return {
    space_id: env.SPACE_ID,
    space_title: env.SPACE_TITLE,
    space_subdomain: env.SPACE_SUBDOMAIN,
    space_host: env.SPACE_HOST,
    space_repo_name: env.SPACE_REPO_NAME,
    space_author_name: env.SPACE_AUTHOR_NAME,
    space_persistent_storage_enabled: 'value' in storage && storage.value,
  }
}
