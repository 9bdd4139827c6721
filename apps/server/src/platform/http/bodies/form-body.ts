const FORM = /^\s*(application\/x-www-form-urlencoded|multipart\/form-data)\b/i

/**
 * Reads a form's text fields, the last one of a name; files and anything that is not a form count as nothing sent.
 * @param contentType the header as it was sent, with the boundary of a multipart body
 */
export const parseForm = async (bytes: Buffer, contentType: string | undefined): Promise<{ [name: string]: string }> => {
  if (contentType === undefined || !FORM.test(contentType)) return {}
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData()
    return Object.fromEntries([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    // NOTE: a broken form has no fields; the schema then says which are missing
    return {}
  }
}
