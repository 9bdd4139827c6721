type Values = { readonly [name: string]: string }

/** The method and path of a route such as `GET /users/:user_id`. Each parameter is replaced by its percent-encoded value. */
export const requestLine = (route: string, params: Values = {}): readonly [method: string, path: string] => {
  const filled = route.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] as string))
  const [method, path] = filled.split(' ') as [string, string]
  return [method, `/api/v1${path}`]
}

/** Serializes a query. A list becomes one parameter for each item. Undefined and null values are omitted. */
export const queryText = (query: unknown): string => {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) params.append(key, String(one))
    }
  }
  const printed = params.toString()
  return printed === '' ? '' : `?${printed}`
}
