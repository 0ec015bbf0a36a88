/** Ends what a set-up has started. */
export type Stop = () => Promise<void>;
