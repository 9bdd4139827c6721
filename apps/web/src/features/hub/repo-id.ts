const ID = /^[\w.-]{1,96}\/[\w.-]{1,96}$/

/** Prefix of the paths of dataset pages on the Hub. It is the same on every Hub host. */
const DATASETS = '/datasets/'

/**
 * Extracts the ID of a Hub dataset from typed or pasted text. The text can be the ID itself (`owner/name`) or the address of one
 * of the dataset's pages.
 * @returns null if the text contains no ID
 */
export const repoIdOf = (text: string): string | null => {
  const typed = text.trim()
  const url = /^https?:\/\//i.test(typed) ? URL.parse(typed) : null
  const path = url === null ? typed : decodeURI(url.pathname)
  const from = path.indexOf(DATASETS)
  if (url !== null && from === -1) return null
  const rest = from === -1 ? path.replace(/^\/?datasets\//, '') : path.slice(from + DATASETS.length)
  const id = url === null ? rest.replace(/\/$/, '') : rest.split('/').slice(0, 2).join('/')
  return ID.test(id) && !/(^|\/)[.-]|[.-](\/|$)|\.\.|--/.test(id) ? id : null
}
