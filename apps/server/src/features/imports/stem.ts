/** A file's name without folders and its ending: what default external ids begin with. */
export const stemOf = (name: string): string => {
  const base = name.replace(/^.*[/\\]/, '')
  return base.replace(/\.[a-z0-9]+$/i, '') || base || 'file'
}
