/** The logo: three lines of text, and the note in the margin that spans them. */
export const Mark = ({ size = 22 }: { readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <path fill="currentColor" d="M4 6h14v3H4zm0 7.5h14v3H4zM4 21h9v3H4z" />
    <path fill="var(--accent)" d="M21 6h3v20h-3zM24 6h4v3h-4zm0 7.5h4v3h-4z" />
  </svg>
)
