import { useEffect, useState } from 'react'
import styles from './ErrorCode.module.css'

/** An error's code in small type, to quote when asking for help. Renders nothing for an error without a code. */
export const ErrorCode = ({ error }: { readonly error: unknown }) => {
  const [code, setCode] = useState<string | null>(null)
  useEffect(() => {
    // Loaded on demand, because few visits need the table of error codes.
    import('#lib/api/error-codes.ts').then(
      ({ errorCodeOf }) => setCode(errorCodeOf(error)),
      () => undefined,
    )
  }, [error])
  return code && <code className={styles['code']}>{code}</code>
}
