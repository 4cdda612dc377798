"""The lab: games that are simulated to see what a rule does to them. Pure: rules, plans and bots alone.

`playing` plays numbered games, `counting` counts what happens in one, `estimates` makes estimates of many, and `report`
and `picture` show them. Every figure follows from the records of the games, so anybody can compute it again.
"""
