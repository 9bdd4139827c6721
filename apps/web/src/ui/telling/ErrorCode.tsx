import { useEffect, useState } from 'react'
import styles from './ErrorCode.module.css'

/** The name of what could not be done, in small letters: what to tell whoever helps. Nothing for what has no name. */
export const ErrorCode = ({ error }: { readonly error: unknown }) => {
  const [code, setCode] = useState<string | null>(null)
  useEffect(() => {
    // Few visits need the table of names.
    import('#lib/api/error-codes.ts').then(
      ({ errorCodeOf }) => setCode(errorCodeOf(error)),
      () => undefined,
    )
  }, [error])
  return code && <code className={styles['code']}>{code}</code>
}
