type Person = { readonly username: string; readonly first_name: string; readonly last_name: string | null }

const localPart = (text: string): string => (text.includes('@') ? text.slice(0, text.lastIndexOf('@')) : text)
const fullName = ({ first_name, last_name }: Person): string => [first_name, last_name ?? ''].join(' ').trim().toLowerCase()

/**
 * Ways in which a name can refer to a person, the most certain first. `name` and the person's names are compared in lower case.
 */
const matches: readonly ((name: string, person: Person) => boolean)[] = [
  (name, { username }) => username.toLowerCase() === name,
  (name, { username }) => localPart(username.toLowerCase()) === localPart(name),
  (name, person) => fullName(person).includes(' ') && fullName(person) === name,
  // Prodigy puts the name of the dataset before the name of the person
  (name, { username }) => name.endsWith(`-${username.toLowerCase()}`),
]

/**
 * Finds the person to whom a name from another program refers: the person with this username, email address or full name.
 * @returns null if nobody matches, or several people match equally well
 */
export const matchAnnotator = <P extends Person>(name: string, people: readonly P[]): P | null => {
  const wanted = name.trim().toLowerCase()
  if (wanted === '') return null
  for (const isMatch of matches) {
    const [first, ...others] = people.filter((person) => isMatch(wanted, person))
    if (first !== undefined) return others.length === 0 ? first : null
  }
  return null
}
