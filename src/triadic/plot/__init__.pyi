from .census import triad_census as triad_census
from .comparison import compare as compare
from .degrees import degree_distribution as degree_distribution
from .graphlets import graphlet_totals as graphlet_totals
from .local import local_clustering as local_clustering
from .profile import significance_profile as significance_profile
from .spectrum import clustering_spectrum as clustering_spectrum
