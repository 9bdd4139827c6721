const ID = /^[\w.-]{1,96}\/[\w.-]{1,96}$/

/** Pages of the hub that belong to a dataset begin so, whatever the hub's address. */
const DATASETS = '/datasets/'

/**
 * The id of a dataset of the hub in what somebody has typed or pasted: the id itself (`owner/name`), or the address of a page of it.
 * @returns null where there is none
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
