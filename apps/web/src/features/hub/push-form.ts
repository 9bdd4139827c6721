import { preferences } from '#lib/prefs/preferences.ts'

export type PushDraft = { readonly owner: string; readonly name: string; readonly isPrivate: boolean; readonly token: string }
/** Message keys under `push.fault`. */
type PushFaults = {
  readonly owner: 'ownerRequired' | 'nameForm' | null
  readonly name: 'nameRequired' | 'nameForm' | null
  readonly token: 'tokenRequired' | 'tokenInvalid' | null
}

const NAME_PART = /^[a-zA-Z0-9_](?:[\w.-]{0,94}[a-zA-Z0-9_])?$/
const isPart = (text: string): boolean => NAME_PART.test(text) && !/\.\.|--/.test(text)

export const faultsOf = ({ owner, name, token }: PushDraft): PushFaults => ({
  owner: owner.trim() === '' ? 'ownerRequired' : isPart(owner.trim()) ? null : 'nameForm',
  name: name.trim() === '' ? 'nameRequired' : isPart(name.trim()) ? null : 'nameForm',
  token: token.trim() === '' ? 'tokenRequired' : /^hf_\w{3,}$/.test(token.trim()) ? null : 'tokenInvalid',
})

/** Converts the name of a dataset into a valid repository name. */
export const repositoryName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/([.-])[.-]+/g, '$1')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, 96)

export type LastExport = { readonly jobId: string; readonly datasetName: string }

/** The last export of a dataset that this browser started. It survives a reload. */
export const lastExport = {
  read: (datasetId: string): LastExport | null => preferences.read().exports[datasetId] ?? null,
  write: (datasetId: string, last: LastExport | null): void => {
    const { [datasetId]: _, ...others } = preferences.read().exports
    preferences.write({ exports: last === null ? others : { ...others, [datasetId]: last } })
  },
}
