const FORM = /^\s*(application\/x-www-form-urlencoded|multipart\/form-data)\b/i

/**
 * Reads a form's text fields; if a name occurs more than once, the last value wins. Ignores files and anything other than a
 * form.
 * @param contentType the original header, with the boundary of a multipart body
 */
export const parseForm = async (bytes: Buffer, contentType: string | undefined): Promise<{ [name: string]: string }> => {
  if (contentType === undefined || !FORM.test(contentType)) return {}
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData()
    return Object.fromEntries([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    // A malformed form has no fields. The schema then reports the missing fields.
    return {}
  }
}
