/** Where to ask for what only the operator can do. */
export function Contact({ salesEmail }: { readonly salesEmail: string | undefined }) {
  if (salesEmail === undefined) return <>Ask the operator of this service.</>;
  return <a href={`mailto:${salesEmail}`}>Write to {salesEmail}</a>;
}
