package posture

// description is what a label means and what would move it (LOOK.md §6).
type description struct{ means, moves string }

var descriptions = [...]description{
	LabelContradicted: {
		"Something shows the opposite on this very target.",
		"A fix, verified by a later passing deny and recorded in a closure; or a closure that shows why the record does not apply or was wrong. A later pass alone changes nothing.",
	},
	LabelNotProvided: {
		"The vendor says that this is not offered; our design must provide it.",
		"A boundary of our own, read from the target or tested, and a closure of the vendor’s words; or a newer page that says otherwise.",
	},
	LabelSuspect: {
		"Something was seen against it, on another configuration or not yet settled, and nobody has ruled on it.",
		"A ruling whether it applies to this target: fixed and verified, not applicable, or the test was wrong.",
	},
	LabelAcceptedRisk: {
		"Carried by a named person to a named day; the state beneath it is unchanged.",
		"The day the acceptance ends, a new record that it does not cover, a change of policy or config; or a fix.",
	},
	LabelNotStated: {
		"Nobody has said.",
		"A dated answer, a published page, a reading of the target’s configuration, or a permit and a deny in one run.",
	},
	LabelStale: {
		"Held once, and has since aged or moved.",
		"The same evidence again, taken on the target as it is now.",
	},
	LabelClaimed: {
		"The vendor says so; nowhere published.",
		"A published page or a contract clause, a reading of the configuration, or a pair of tests. Without any of them it lapses 90 days after it was said.",
	},
	LabelDocumented: {
		"Published by the vendor or in the contract: designed so, not exercised by us.",
		"A reading of the target’s configuration or a pair of tests. Without a new look it lapses after 90 days, after 30 where the feature is a preview.",
	},
	LabelAttested: {
		"An independent report covers the period: in the vendor’s scope, not exercised by us.",
		"A reading of the target’s configuration or a pair of tests. It lapses a year after the end of the period.",
	},
	LabelConfigured: {
		"Read from the running target: designed so, not exercised by us.",
		"A permit and a deny in one run on this target. A change of version, policy, config or region ends it; so does age.",
	},
	LabelTested: {
		"A permit and a deny, same run, on this exact identity: held in these cases on this date.",
		"A failure; a change of version, image, policy, config or region; a later refusal of permitted access; and age.",
	},
	LabelNotApplicable: {
		"Ruled out for this configuration.",
		"The day the ruling ends, a change of version, policy or config, or anything seen against it.",
	},
}

// Describe gives a label's one-sentence definition and what would move it.
func Describe(l Label) (means, moves string) {
	d := descriptions[l]
	return d.means, d.moves
}
